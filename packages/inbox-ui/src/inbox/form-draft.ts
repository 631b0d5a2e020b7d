import { type Approval, type Decision, type JsonValue, parseExactJson } from '@countersign/contract';
import type { DecisionDraft } from './pending-vote.js';

/** What the form is about: a decision, or approving a call with other arguments. */
export type FormAct = Decision | 'edit';

/** What stands in the form; kept by the host, so that it is not lost by looking at something else. */
export interface FormDraft {
  readonly act: FormAct;
  readonly comment: string;
  /** With `edit`: the arguments as text. */
  readonly argumentsText: string;
}

/** The form as it opens. What was written before is kept: changing one's mind costs no words. */
export function formFor(act: FormAct, { subject }: Pick<Approval, 'subject'>, before?: FormDraft): FormDraft {
  const argumentsText = before?.argumentsText ?? '';
  return {
    act,
    comment: before?.comment ?? '',
    argumentsText: argumentsText !== '' ? argumentsText : JSON.stringify(subject.inputs, null, 2),
  };
}

/** What a decision is to whoever makes it: approving a call with other arguments asks somebody else about those. */
export function actOf({ decision, editedArguments }: Pick<DecisionDraft, 'decision' | 'editedArguments'>): FormAct {
  return editedArguments === undefined ? decision : 'edit';
}

/** The form of a decision that was taken back. */
export function formOf(draft: DecisionDraft): FormDraft {
  const { comment, editedArguments } = draft;
  return {
    act: actOf(draft),
    comment,
    argumentsText: editedArguments === undefined ? '' : JSON.stringify(editedArguments, null, 2),
  };
}

/** The decision that the form says; `undefined` where its arguments are no JSON object. */
export function draftOf({ act, comment, argumentsText }: FormDraft): DecisionDraft | undefined {
  if (act !== 'edit') return { decision: act, comment };
  const editedArguments = parseObject(argumentsText);
  return editedArguments === undefined ? undefined : { decision: 'approve', comment, editedArguments };
}

function parseObject(text: string): Record<string, JsonValue> | undefined {
  try {
    const value = parseExactJson(text) as JsonValue;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
