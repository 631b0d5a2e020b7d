import { escapeInvisible } from '../ui/escape-invisible.js';

/** Of a label; more finds no room, and to lay it out takes long. */
const MAX_LENGTH = 400;
/** What of an element is drawn, of annotations and groups too. */
const DRAWN = ['name', 'text', 'value'] as const;

/**
 * Names what nobody would see in the texts that a diagram draws, says in its breadcrumbs, or shows on hover. Documentation is
 * not drawn, and stays as it is.
 *
 * @param elements of a model that was read to be looked at, never to be written again; changed in place.
 */
export function escapeModelLabels(elements: Readonly<Record<string, object>>): void {
  for (const element of Object.values(elements) as Record<string, unknown>[]) {
    if (element['$type'] === 'bpmn:Documentation') continue;
    for (const key of DRAWN) {
      const text = element[key];
      if (typeof text === 'string')
        element[key] = escapeInvisible(text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)} …` : text);
    }
  }
}
