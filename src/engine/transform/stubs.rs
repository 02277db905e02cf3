use super::*;
use crate::engine::manifest::*;
#[derive(Debug)] pub struct ReplacementTransformer;
impl ReplacementTransformer { pub fn load(e:&Placed<Replacement>, _r:&Root, _s:&mut crate::engine::load::Sources)->Result<Self,TransformError>{ Err(TransformError::phrase("stub", e.mark)) } }
impl Transformer for ReplacementTransformer { fn transform(&self,_:&mut ResMap,_:&mut Context<'_>)->Result<(),TransformError>{Ok(())} }
#[derive(Debug)] pub struct IamPolicyGenerator;
impl IamPolicyGenerator { pub fn new(_:IamPolicyArgs)->Self{Self} }
impl Generator for IamPolicyGenerator { fn generate(&self,_:&Root,cx:&mut Context<'_>)->Result<Vec<Resource>,TransformError>{Err(TransformError::phrase("stub", cx.mark))} }
#[derive(Debug)] pub struct ValueAddTransformer;
impl ValueAddTransformer { pub fn new(_:ValueAddArgs,_:&std::path::Path)->Result<Self,TransformError>{Ok(Self)} }
impl Transformer for ValueAddTransformer { fn transform(&self,_:&mut ResMap,_:&mut Context<'_>)->Result<(),TransformError>{Ok(())} }
