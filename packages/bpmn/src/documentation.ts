import { getElements, getString, type ModdleElement } from './moddle.js';

/** Returns the documentation of an element. Each `<documentation>` becomes a paragraph. */
export function readDocumentation(element: ModdleElement): string | null {
  const texts = getElements(element, 'documentation')
    .map((documentation) => getString(documentation, 'text')?.trim() ?? '')
    .filter((text) => text !== '');
  return texts.length === 0 ? null : texts.join('\n\n');
}
