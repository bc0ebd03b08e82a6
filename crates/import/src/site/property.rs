/// Largest configuration \[bytes\].
pub(super) const LARGEST: u64 = 64 << 20;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Site {
    /// In order, included files in place; names may repeat.
    pub properties: Vec<Property>,
    /// Properties without a value, which Hadoop ignores.
    pub unset: Vec<Property>,
    /// Parts of the file without effect, with file and line.
    pub notes: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Property {
    pub name: String,
    /// Variables are substituted as far as this file has the properties.
    pub value: String,
    /// `<final>true</final>`: Hadoop ignores later properties of this name.
    pub is_final: bool,
    /// The given file, or an included one.
    pub file: String,
    /// Its first line.
    pub line: u64,
}

impl Site {
    /// The property that Hadoop uses: the last, but none after a final one.
    pub fn get(&self, name: &str) -> Option<&Property> {
        in_force(&self.properties, name)
    }
}

pub(super) fn in_force<'a>(all: &'a [Property], name: &str) -> Option<&'a Property> {
    let mut named = all.iter().filter(|property| property.name == name);
    let mut found = named.next()?;
    while !found.is_final
        && let Some(later) = named.next()
    {
        found = later
    }
    Some(found)
}
