//! dev only
fn main() {
    for path in std::env::args().skip(1) {
        let files: Vec<std::path::PathBuf> = vec![path.clone().into()];
        match mapreduce::import::found(&files)
            .and_then(|jobs| mapreduce::import::import(&jobs, &[]))
        {
            Ok(i) => {
                println!("##### {path}");
                print!("{}", mapreduce::why::text(&mapreduce::why::Why::of(&i.trace), 5))
            }
            Err(_) => println!("##### {path}: error"),
        }
    }
}
