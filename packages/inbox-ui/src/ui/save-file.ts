/** Downloads a file for the user. The content is never opened in the page. */
export function saveFile(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // Gives the browser time to start reading the blob.
  setTimeout(() => URL.revokeObjectURL(url), 30_000);
}
