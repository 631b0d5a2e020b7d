import { elementsOf, textOf, type ModdleElement } from './moddle.js';

/** Returns the documentation of an element; several `<documentation>` elements are paragraphs. */
export function documentationOf(element: ModdleElement): string | null {
  const texts = elementsOf(element, 'documentation')
    .map((documentation) => textOf(documentation, 'text')?.trim() ?? '')
    .filter((text) => text !== '');
  return texts.length === 0 ? null : texts.join('\n\n');
}
