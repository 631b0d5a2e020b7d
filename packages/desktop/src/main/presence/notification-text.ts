/**
 * A text of somebody's for where the operating system shows it (notifications, tray, menus): one line, without what turns,
 * hides or breaks text, and without what desktops take for markup (a notification of Linux may have links and images in it).
 *
 * @param length in characters; what is longer ends with an ellipsis
 */
export function notificationText(text: string, length: number): string {
  const line = text
    .replace(/[\p{Zs}\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cs}]/gu, '\u{FFFD}')
    .replace(/</g, '‹')
    .replace(/>/g, '›')
    .replace(/&/g, '＆')
    .trim();
  const characters = [...line];
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : line;
}
