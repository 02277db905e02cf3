//! The module that unpacks kzui in a browser: the worker of `assets/web` gives it the bytes that
//! `package.py` packed as LZMA. Browsers unpack deflate only, which makes the page a third larger.

use std::io::Read;

use lzma_rust2::LzmaReader;

/// Packed bytes, and the result.
#[derive(Debug, Default)]
pub struct Unpacker {
    packed: Vec<u8>,
    unpacked: Vec<u8>,
}

impl Unpacker {
    /// The buffer for this many packed bytes.
    pub fn packed(&mut self, bytes: usize) -> &mut [u8] {
        self.packed = vec![0; bytes];
        &mut self.packed
    }

    /// The unpacked bytes; empty if the packed ones are broken.
    pub fn unpack(&mut self) -> &[u8] {
        self.unpacked.clear();
        let packed = std::mem::take(&mut self.packed);
        let read = LzmaReader::new_mem_limit(packed.as_slice(), u32::MAX, None)
            .and_then(|mut reader| reader.read_to_end(&mut self.unpacked));
        if read.is_err() {
            self.unpacked.clear();
        }
        &self.unpacked
    }
}

#[cfg(target_arch = "wasm32")]
mod calls {
    #![expect(unsafe_code, reason = "an exported name is an unsafe attribute in Rust")]
    #![expect(unreachable_pub, reason = "the page calls the functions, and no crate does")]

    use crate::Unpacker;

    /// A new unpacker.
    #[unsafe(no_mangle)]
    pub extern "C" fn start() -> Box<Unpacker> {
        Box::default()
    }

    /// The buffer for this many packed bytes.
    #[unsafe(no_mangle)]
    pub extern "C" fn packed(unpacker: &mut Unpacker, bytes: usize) -> *mut u8 {
        unpacker.packed(bytes).as_mut_ptr()
    }

    /// Unpacks the buffer; returns the number of bytes, zero if the packed ones are broken.
    #[unsafe(no_mangle)]
    pub extern "C" fn unpack(unpacker: &mut Unpacker) -> usize {
        unpacker.unpack().len()
    }

    /// The unpacked bytes.
    #[unsafe(no_mangle)]
    pub extern "C" fn unpacked(unpacker: &Unpacker) -> *const u8 {
        unpacker.unpacked.as_ptr()
    }
}

#[cfg(test)]
mod tests {
    use super::Unpacker;

    /// `hello`, packed by Python's `lzma.compress(b"hello", lzma.FORMAT_ALONE)`.
    const HELLO: &[u8] = &[
        93, 0, 0, 128, 0, 255, 255, 255, 255, 255, 255, 255, 255, 0, 52, 25, 73, 238, 142, 104, 33,
        255, 255, 255, 185, 224, 0, 0,
    ];

    #[test]
    fn bytes_of_the_packing_script_are_unpacked_and_broken_ones_are_empty() {
        let mut unpacker = Unpacker::default();
        unpacker.packed(HELLO.len()).copy_from_slice(HELLO);
        assert_eq!(unpacker.unpack(), b"hello");
        unpacker.packed(HELLO.len() - 9).copy_from_slice(&HELLO[..HELLO.len() - 9]);
        assert_eq!(unpacker.unpack(), b"");
    }
}
