use super::{Client, Patience};
use crate::error::Error;
use crate::transport::{Connections, Kind, TcpOptions, is_address};
use keys::Keys;
use xor_protocol::Layout;

/// # Errors
/// If an address is invalid, no layout has this number of nodes, or there is no socket or RDMA
/// device.
pub fn connect(addresses: &[String], keys: Option<&Keys>, kind: Kind) -> Result<Client, Error> {
    if let Some(wrong) = addresses.iter().find(|address| !is_address(address)) {
        return Err(Error::BadInput(format!("{wrong:?}: expected HOST:PORT")));
    }
    let layout = Layout::best(addresses.len()).map_err(|e| Error::BadInput(e.to_string()))?;
    let options = TcpOptions { keys: keys.cloned(), ..TcpOptions::default() };
    let transport = Connections::client(kind, options)?;
    Client::connect(transport, layout, addresses, Patience::default())
}
