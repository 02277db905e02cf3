//! The documents of this crate equal their schemas.

use super::*;
use crate::document_schema::assert_schema;

#[test]
fn schemas_equal_the_documents() {
    assert_schema::<BisectReport>("bisect", 2);
    assert_schema::<BlameReport>("blame", 1);
    assert_schema::<CatalogReport>("catalog", 1);
    assert_schema::<MatrixReport>("matrix", 1);
    assert_schema::<MigrateReport>("migrate", 1);
    assert_schema::<OrderReport>("order", 1);
    assert_schema::<SetReport>("set", 1);
    assert_schema::<MapReport>("source-map", 1);
    assert_schema::<TraceReport>("trace", 1);
    assert_schema::<WhyReport>("why", 1);
}
