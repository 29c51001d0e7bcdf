// UTF-16 units that the formats give a meaning to. END stands for the end of a text and equals no unit.

export const END: i32 = -1;
export const BACKSPACE: i32 = 0x08;
export const TAB: i32 = 0x09;
export const LF: i32 = 0x0a;
export const FORM_FEED: i32 = 0x0c;
export const CR: i32 = 0x0d;
export const SPACE: i32 = 0x20;
export const QUOTE: i32 = 0x22;
export const PLUS: i32 = 0x2b;
export const COMMA: i32 = 0x2c;
export const MINUS: i32 = 0x2d;
export const POINT: i32 = 0x2e;
export const SLASH: i32 = 0x2f;
export const ZERO: i32 = 0x30;
export const COLON: i32 = 0x3a;
export const OPEN_LIST: i32 = 0x5b;
export const BACKSLASH: i32 = 0x5c;
export const CLOSE_LIST: i32 = 0x5d;
export const LOWER_B: i32 = 0x62;
export const LOWER_E: i32 = 0x65;
export const LOWER_F: i32 = 0x66;
export const LOWER_N: i32 = 0x6e;
export const LOWER_R: i32 = 0x72;
export const LOWER_T: i32 = 0x74;
export const LOWER_U: i32 = 0x75;
export const OPEN_OBJECT: i32 = 0x7b;
export const CLOSE_OBJECT: i32 = 0x7d;
export const BYTE_ORDER_MARK: i32 = 0xfeff;

export function isDigit(unit: i32): bool {
  return unit >= ZERO && unit <= ZERO + 9;
}

export function isHighSurrogate(unit: i32): bool {
  return (unit & 0xfc00) === 0xd800;
}

export function isLowSurrogate(unit: i32): bool {
  return (unit & 0xfc00) === 0xdc00;
}
