"""What several test rooms share: clocks that tests set, and small values with only the interesting fields given."""
