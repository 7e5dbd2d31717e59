//! Values that look like what is sent: JSON of a web shop's events, which compresses four to seven times.

const PATHS: [&str; 6] = ["/cart", "/checkout", "/item", "/login", "/search", "/account/orders"];
const AGENTS: [&str; 3] =
    ["Mozilla/5.0 (X11; Linux x86_64)", "shop-ios/8.14.2", "shop-android/8.13.0"];
const EVENTS: [&str; 5] = ["page_view", "add_to_cart", "purchase", "scroll", "search"];

/// `size` bytes: the start of an endless object, another one for each seed.
pub(crate) fn json(seed: usize, size: usize) -> Vec<u8> {
    let mut noise = Noise(seed as u64);
    let mut text = format!("{{\"id\":{},\"tenant\":\"eu-west-1\",\"events\":[", 1_000_000 + seed);
    while text.len() < size {
        let event = format!(
            "{{\"type\":\"{}\",\"path\":\"{}\",\"user\":\"{:08x}\",\"ms\":{},\"agent\":\"{}\",\"ok\":true}},",
            noise.pick(&EVENTS),
            noise.pick(&PATHS),
            noise.next() >> 32,
            noise.next() % 5000,
            noise.pick(&AGENTS),
        );
        text.push_str(&event);
    }
    text.truncate(size);
    text.into_bytes()
}

/// SplitMix64: small, well mixed from the first value on, the same everywhere.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[(self.next() % from.len() as u64) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_their_size_and_differ() {
        for size in [0, 1, 100, 1000] {
            assert_eq!(json(5, size).len(), size);
        }
        assert_ne!(json(5, 1000), json(6, 1000));
        assert_eq!(&json(5, 14), b"{\"id\":1000005,");
    }
}
