/**
 * Puts a text on the clipboard. Browsers have `navigator.clipboard` only where the page came encrypted or from this machine;
 * elsewhere it goes by a field that is selected and copied.
 * @throws {Error} where the browser allows neither.
 */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  document.body.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!done) throw new Error('Copying is not allowed.');
}
