import { z } from 'zod';
import { type Job, TerminalFailure } from '@countersign/core/plugin';

/** Reads what a step sees. What does not fit will not fit the next time either. */
export function readInputs<T extends z.ZodType>(job: Job, schema: T): z.infer<T> {
  const result = schema.safeParse(job.variables);
  if (result.success) return result.data;
  const message = `The step "${job.elementId}" cannot start, because its inputs are invalid: ${z.prettifyError(result.error)}`;
  throw new TerminalFailure('inputs_invalid', message, { cause: result.error });
}

/** Where the changes are, as the collecting step has found out. */
export const ChangesSchema = z.object({
  repository: z.string(),
  from: z.object({ revision: z.string(), commit: z.string() }),
  to: z.object({ revision: z.string(), commit: z.string() }),
});
