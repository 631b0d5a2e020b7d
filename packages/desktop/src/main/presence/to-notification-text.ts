/**
 * Returns untrusted text for display by the operating system (notifications, tray, menus): one line, without characters
 * that reverse, hide or break text, and without characters that desktops treat as markup (Linux notifications may
 * contain links and images).
 *
 * @param maxLength in characters; longer text is cut and ends with an ellipsis
 */
export function toNotificationText(text: string, maxLength: number): string {
  const line = text
    .replace(/[\p{Zs}\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cs}]/gu, '\u{FFFD}')
    .replace(/</g, '‹')
    .replace(/>/g, '›')
    .replace(/&/g, '＆')
    .trim();
  const characters = [...line];
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : line;
}
