//! Properties of a configuration.

/// No configuration is larger.
pub(super) const LARGEST: u64 = 64 << 20;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Site {
    /// In the file's order, those of included files in place; a name may occur again.
    pub properties: Vec<Property>,
    /// Properties without a value, which Hadoop leaves out.
    pub unset: Vec<Property>,
    /// Parts of the file that have no effect, with file and line.
    pub notes: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Property {
    pub name: String,
    /// Its value; variables are replaced by the values of the properties that they name, as far as
    /// this file has them.
    pub value: String,
    /// `<final>true</final>`: Hadoop ignores later properties of this name.
    pub is_final: bool,
    /// The file that has it: the one given, or one that this includes.
    pub file: String,
    /// The line on which it begins.
    pub line: u64,
}

impl Site {
    /// The property that Hadoop uses for a name: the last, but none after a final one.
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
