import type { Json } from './json.js';

/** How a field of a subject is displayed. A value that does not fit its format is displayed as text. */
export const FIELD_FORMATS = Object.freeze(['text', 'money', 'date', 'link', 'diff', 'markdown', 'table'] as const);
export type FieldFormat = (typeof FIELD_FORMATS)[number];

/** A labelled value of an approval's subject, as the BPMN model presents it to the approvers (`approval.fields`). */
export interface SubjectField {
  readonly label: string;
  readonly value: Json;
  readonly format: FieldFormat;
  /** Currency of an amount (`money`), normally an ISO 4217 code. It may be data, and so any text. */
  readonly currency?: string;
}
