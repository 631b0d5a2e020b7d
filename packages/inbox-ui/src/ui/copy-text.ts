/**
 * Copies text to the clipboard. Browsers offer `navigator.clipboard` only on pages loaded with TLS or from this
 * machine; elsewhere, a temporary field is selected and copied.
 *
 * @throws {Error} if the browser allows neither.
 */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const previousFocus = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  document.body.append(field);
  field.select();
  const wasCopied = document.execCommand('copy');
  field.remove();
  if (previousFocus instanceof HTMLElement) previousFocus.focus();
  if (!wasCopied) throw new Error('Copying is not allowed.');
}
