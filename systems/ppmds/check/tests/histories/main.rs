mod drawn;
mod messages;
mod named;
mod service;
mod table;
