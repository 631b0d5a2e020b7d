import { appendUtcOffset, type Approval } from '@countersign/contract';
import type { AllowedOperation } from '../../common/operations.js';

/** Content of the dialog of the operating system that asks before others may decide. */
export interface ConfirmationRequest {
  readonly message: string;
  readonly detail: string;
}

type Input = Readonly<Record<string, unknown>>;

/** @returns `undefined` if an absence names no substitute, and so grants nothing */
export function confirmAbsence({ body }: Input): ConfirmationRequest | undefined {
  const { substitute, from, until } = body as {
    readonly substitute?: string;
    readonly from?: string;
    readonly until: string;
  };
  if (substitute === undefined) return undefined;
  const startText = from === undefined ? 'Now' : formatTime(from);
  return {
    message: 'Let a substitute decide for you while you are away?',
    detail: `Who decides: ${oneLine(substitute)}\nFrom: ${startText}\nUntil: ${formatTime(until)}\n\nThey may decide every approval that names you.`,
  };
}

export function confirmReassignment(
  operation: AllowedOperation,
  { title }: Pick<Approval, 'title'>,
  { body = {} }: Input,
): ConfirmationRequest {
  const message = operation === 'delegateApproval' ? 'Let someone else decide for you?' : 'Let others decide?';
  return { message, detail: `${oneLine(title)}\n\n${oneLine(JSON.stringify(body))}` };
}

function formatTime(at: string): string {
  const time = Date.parse(at);
  return appendUtcOffset(
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short' }).format(time),
    time,
  );
}

/** Removes line breaks and hidden characters from untrusted text. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 500);
}
