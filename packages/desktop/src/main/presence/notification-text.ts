/**
 * Returns untrusted text for display by the operating system (notifications, tray, menus): one line, without characters
 * that reverse, hide or break text, and without characters that desktops treat as markup (Linux notifications may
 * contain links and images).
 *
 * @param length in characters; longer text ends with an ellipsis
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
