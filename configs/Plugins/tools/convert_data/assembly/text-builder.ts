/** The longest text a builder makes, in UTF-16 units: with the copies made of it, what the tool's 64 MiB hold safely. */
const MAX_LENGTH: i32 = 2 * 1024 * 1024;

/** Small, because most texts with an escape in them are. */
const FIRST_CAPACITY: i32 = 64;

/** Builds a long text piece by piece. Past its limit it drops what comes and says so in `full`. */
export class TextBuilder {
  full: bool = false;
  private length: i32 = 0;
  private units: StaticArray<u16> = new StaticArray<u16>(FIRST_CAPACITY);

  unit(code: i32): void {
    if (!this.reserve(1)) return;
    this.units[this.length] = <u16>code;
    this.length += 1;
  }

  text(piece: string): void {
    if (!this.reserve(piece.length)) return;
    memory.copy(
      changetype<usize>(this.units) + ((<usize>this.length) << 1),
      changetype<usize>(piece),
      (<usize>piece.length) << 1,
    );
    this.length += piece.length;
  }

  toString(): string {
    return String.UTF16.decodeUnsafe(changetype<usize>(this.units), (<usize>this.length) << 1);
  }

  private reserve(extra: i32): bool {
    const wanted = this.length + extra;
    if (wanted > MAX_LENGTH) {
      this.full = true;
      return false;
    }
    if (wanted > this.units.length) {
      const grown = new StaticArray<u16>(max(wanted, this.units.length * 2));
      memory.copy(changetype<usize>(grown), changetype<usize>(this.units), (<usize>this.length) << 1);
      this.units = grown;
    }
    return true;
  }
}
