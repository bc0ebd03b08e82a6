//! The clever pending set against a stupid one.
