//! Settings as text: one form for equal settings, so that a run can be found again.

use crate::model::RunSettings;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// The settings as JSON with sorted keys.
pub(super) fn canonical(settings: &RunSettings) -> String {
    let value = serde_json::to_value(settings).expect("settings are plain data with text keys");
    let mut out = String::new();
    write(&value, &mut out);
    out
}

/// SHA-256 of [`canonical`]'s text, as hex.
pub(super) fn fingerprint(canonical: &str) -> String {
    let mut out = String::with_capacity(64);
    for byte in Sha256::digest(canonical.as_bytes()) {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

// serde_json sorts keys only as long as no crate of the build switches its `preserve_order` on.
fn write(value: &Value, out: &mut String) {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            out.push('{');
            for (n, (key, value)) in entries.into_iter().enumerate() {
                if n > 0 {
                    out.push(',');
                }
                let _ = write!(out, "{}:", Value::from(key.as_str()));
                self::write(value, out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (n, item) in items.iter().enumerate() {
                if n > 0 {
                    out.push(',');
                }
                self::write(item, out);
            }
            out.push(']');
        }
        other => {
            let _ = write!(out, "{other}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_keys_does_not_matter_and_everything_else_does() {
        let read = |text: &str| serde_json::from_str::<RunSettings>(text).unwrap();
        let a = read(
            r#"{"games":2,"first":{"boards":[{"url":"tcp://a:1"}]},"second":{"path":"sf","env":{"B":"1","A":"2"}}}"#,
        );
        let b = read(
            r#"{"second":{"env":{"A":"2","B":"1"},"path":"sf"},"first":{"boards":[{"url":"tcp://a:1"}]},"games":2}"#,
        );
        let c = read(
            r#"{"second":{"env":{"A":"2","B":"1"},"path":"sf"},"first":{"boards":[{"url":"tcp://a:1"}]},"games":3}"#,
        );
        let print = |s: &RunSettings| fingerprint(&canonical(s));
        assert_eq!(print(&a), print(&b));
        assert_ne!(print(&a), print(&c));
        assert_eq!(read(&canonical(&a)), a);
        assert_eq!(print(&a).len(), 64);
    }
}
