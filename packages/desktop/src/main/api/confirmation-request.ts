import { appendUtcOffset, type Approval } from '@countersign/contract';
import type { AllowedOperation } from '../../common/operations.js';

/** Content of the dialog of the operating system in which the user confirms that others may decide. */
export interface ConfirmationRequest {
  readonly message: string;
  readonly detail: string;
}

type Input = Readonly<Record<string, unknown>>;

/** @returns `undefined` if the absence has no substitute and therefore does not let anyone else decide */
export function createAbsenceConfirmation({ body }: Input): ConfirmationRequest | undefined {
  const { substitute, from, until } = body as {
    readonly substitute?: string;
    readonly from?: string;
    readonly until: string;
  };
  if (substitute === undefined) return undefined;
  const startText = from === undefined ? 'Now' : formatTime(from);
  return {
    message: 'Let a substitute decide for you while you are away?',
    detail: `Who decides: ${toSingleLine(substitute)}\nFrom: ${startText}\nUntil: ${formatTime(until)}\n\nThe substitute may decide every approval that names you.`,
  };
}

export function createReassignmentConfirmation(
  operation: AllowedOperation,
  { title }: Pick<Approval, 'title'>,
  { body = {} }: Input,
): ConfirmationRequest {
  const message = operation === 'delegateApproval' ? 'Let someone else decide for you?' : 'Let others decide?';
  return { message, detail: `${toSingleLine(title)}\n\n${toSingleLine(JSON.stringify(body))}` };
}

function formatTime(at: string): string {
  const time = Date.parse(at);
  return appendUtcOffset(
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short' }).format(time),
    time,
  );
}

/** Replaces line breaks and hidden characters in untrusted text with spaces and limits its length. */
function toSingleLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 500);
}
