import { escapeInvisible } from '../ui/escape-invisible.js';

/** Maximum length of a label: longer text does not fit and takes long to lay out. */
const MAX_LABEL_LENGTH = 400;
/** Properties that are drawn, including those of annotations and groups. */
const DRAWN_PROPERTIES = ['name', 'text', 'value'] as const;

/**
 * Escapes invisible characters in diagram labels, breadcrumbs and tooltips. Documentation is not drawn and stays
 * unchanged.
 *
 * @param elements elements of a BPMN model that was read only for display; they are changed in place
 */
export function escapeDiagramLabels(elements: Readonly<Record<string, object>>): void {
  for (const element of Object.values(elements) as Record<string, unknown>[]) {
    if (element['$type'] === 'bpmn:Documentation') continue;
    for (const key of DRAWN_PROPERTIES) {
      const text = element[key];
      if (typeof text === 'string')
        element[key] = escapeInvisible(text.length > MAX_LABEL_LENGTH ? `${text.slice(0, MAX_LABEL_LENGTH)} …` : text);
    }
  }
}
