import { duration } from '@countersign/core/plugin';
import { z } from 'zod';

/** Limits of a program's output. */
export interface OutputBounds {
  readonly bytesPerSecond: number;
  readonly messagesPerSecond: number;
  /** Maximum size of one message, in bytes. */
  readonly messageBytes: number;
  readonly stderrBytesPerSecond: number;
  /** How long the program may continuously exceed a limit, in milliseconds. */
  readonly patienceMs: number;
}

export const OutputSchema = z.strictObject({
  BytesPerSecond: z
    .int()
    .min(1_024)
    .default(8_388_608)
    .describe(
      'Bytes per second that the program may write to its standard output. The server reads no faster, so the program waits.',
    ),
  MessagesPerSecond: z
    .int()
    .min(1)
    .default(1_000)
    .describe('Messages per second that the program may send. The server reads no faster, so the program waits.'),
  MessageBytes: z
    .int()
    .min(1_024)
    .max(67_108_864)
    .default(4_194_304)
    .describe('Largest message, in bytes. A program that writes a larger message is stopped.'),
  StderrBytesPerSecond: z
    .int()
    .min(1_024)
    .default(1_048_576)
    .describe(
      'Bytes per second that the program may write to its standard error. The server reads no faster, so the program waits.',
    ),
  Patience: duration()
    .refine((ms) => ms >= 100 && ms <= 3_600_000, 'Expected a duration from PT0.1S to PT1H.')
    .prefault('PT5S')
    .describe('How long the program may exceed these rates without a break before it is stopped.'),
});

export function toOutputBounds({
  BytesPerSecond,
  MessagesPerSecond,
  MessageBytes,
  StderrBytesPerSecond,
  Patience,
}: z.infer<typeof OutputSchema>): OutputBounds {
  return {
    bytesPerSecond: BytesPerSecond,
    messagesPerSecond: MessagesPerSecond,
    messageBytes: MessageBytes,
    stderrBytesPerSecond: StderrBytesPerSecond,
    patienceMs: Patience,
  };
}
