const WEEKDAYS = ['星期日', '星期一', '星期二', '星期三', '星期四', '星期五', '星期六'];

module.exports = async ({ format, timezone }, ctx) => {
  const now = ctx.now();
  const zoned = ctx.zonedTime(now, timezone);
  const date = `${padded(zoned.year, 4)}-${padded(zoned.month)}-${padded(zoned.day)}`;
  const time = `${padded(zoned.hour)}:${padded(zoned.minute)}:${padded(zoned.second)}`;
  const weekday = WEEKDAYS[zoned.weekday % 7];
  const offset = writtenOffset(zoned.offsetMinutes);
  const dateText = `${zoned.year}年${zoned.month}月${zoned.day}日 ${weekday}`;

  switch (format) {
    case 'date':
      return { text: dateText, iso: date, timezone, weekday };
    case 'time':
      return { text: time, iso: `${time}${offset}`, timezone, utc_offset: offset };
    default:
      return {
        text: `${dateText} ${time}`,
        iso: `${date}T${time}${offset}`,
        timezone,
        utc_offset: offset,
        weekday,
        unix: Math.floor(now / 1000),
      };
  }
};

/** RFC 3339: `+08:00`, `-03:30`, `+00:00`. */
function writtenOffset(minutes) {
  const distance = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${padded(Math.floor(distance / 60))}:${padded(distance % 60)}`;
}

function padded(number, width = 2) {
  return String(number).padStart(width, '0');
}
