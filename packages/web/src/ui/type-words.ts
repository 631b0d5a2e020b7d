/** A type of BPMN as words: `Service task` for `bpmn:ServiceTask` and for `serviceTask`. */
export function typeWords(type: string): string {
  const words = type.slice(type.indexOf(':') + 1).replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
