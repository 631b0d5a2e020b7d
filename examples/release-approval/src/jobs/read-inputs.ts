import { z } from 'zod';
import { type Job, TerminalFailure } from '@countersign/core/plugin';

/**
 * Returns the validated input variables of a job.
 *
 * @throws {TerminalFailure} if they are invalid, because a retry would receive the same variables
 */
export function readInputs<T extends z.ZodType>(job: Job, schema: T): z.infer<T> {
  const result = schema.safeParse(job.variables);
  if (result.success) return result.data;
  const message = `The step "${job.elementId}" cannot start, because its inputs are invalid: ${z.prettifyError(result.error)}`;
  throw new TerminalFailure('inputs_invalid', message, { cause: result.error });
}

/** The repository and the revision range of the release, as resolved by the collect step. */
export const ChangesSchema = z.object({
  repository: z.string(),
  from: z.object({ revision: z.string(), commit: z.string() }),
  to: z.object({ revision: z.string(), commit: z.string() }),
});
