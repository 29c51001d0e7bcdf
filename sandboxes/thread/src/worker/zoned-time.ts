/** A moment as a calendar (ISO 8601) and a clock in one time zone show it. */
export interface ZonedTime {
  readonly year: number;
  /** 1–12 */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** ISO 8601: 1 is Monday, 7 is Sunday. */
  readonly weekday: number;
  /** What the zone is ahead of UTC at that moment; a fraction for local mean times before standard time. */
  readonly offsetMinutes: number;
}

/** The longest name in the IANA database has half of this. */
const MAX_ZONE_LENGTH = 64;
/** The furthest moment the language can hold, in ms either way of 1970. */
const MAX_EPOCH_MS = 8.64e15;
const NANOSECONDS_PER_MINUTE = 60e9;

/**
 * Throws TypeError or RangeError with a sentence for the tool's developer; an unknown zone is named. The arguments
 * come from a tool and may be anything.
 */
export function zonedTime(epochMs: unknown, zone: unknown): ZonedTime {
  if (typeof epochMs !== 'number' || !(Math.abs(epochMs) <= MAX_EPOCH_MS)) {
    throw new TypeError('zonedTime needs a moment in milliseconds since 1970 as its first argument.');
  }
  if (typeof zone !== 'string' || zone === '')
    throw new TypeError('zonedTime needs the name of a time zone as its second argument.');
  const { year, month, day, hour, minute, second, dayOfWeek, offsetNanoseconds } = lookAt(Math.floor(epochMs), zone);
  const offsetMinutes = offsetNanoseconds / NANOSECONDS_PER_MINUTE;
  return { year, month, day, hour, minute, second, weekday: dayOfWeek, offsetMinutes };
}

function lookAt(epochMs: number, zone: string): Temporal.ZonedDateTime {
  try {
    if (zone.length > MAX_ZONE_LENGTH) throw new RangeError('too long');
    return Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(zone);
  } catch {
    throw new RangeError(
      `There is no time zone ${JSON.stringify(zone.slice(0, MAX_ZONE_LENGTH))}; use an IANA name such as "Asia/Shanghai".`,
    );
  }
}
