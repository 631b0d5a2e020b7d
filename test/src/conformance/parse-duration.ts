/**
 * Converts a duration by which test cases advance the clock, such as `PT1H1S`, to milliseconds.
 *
 * @throws {Error} if the duration has another format
 */
export function parseDuration(duration: string): number {
  const match = /^PT(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(duration);
  if (match === null) throw new Error(`"${duration}" is not a duration in hours, minutes and seconds.`);
  const [, hours = '0', minutes = '0', seconds = '0'] = match;
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}
