import { routes, type OperationId } from '@countersign/contract';
import { z } from 'zod';

/**
 * Server operations that the window may request through the main process; all others are refused. `read`: changes
 * nothing. `own`: ends an absence, so that the substitute may no longer decide. `confirm`: lets others decide, so the
 * user must confirm it in a dialog of the operating system, which no script in the window can answer.
 *
 * Votes, answers and comments are not included: they have separate methods.
 */
export const OPERATIONS = Object.freeze({
  listApprovals: 'read',
  listInbox: 'read',
  countInbox: 'read',
  getApproval: 'read',
  listApprovalComments: 'read',
  getWorkflow: 'read',
  listTools: 'read',
  listMySigningKeys: 'read',
  listQuestions: 'read',
  getQuestion: 'read',
  getMyAbsence: 'read',
  listUsers: 'read',
  listGroups: 'read',
  endMyAbsence: 'own',
  setMyAbsence: 'confirm',
  delegateApproval: 'confirm',
  reassignApproval: 'confirm',
} as const satisfies Partial<Record<OperationId, 'read' | 'own' | 'confirm'>>);

export type AllowedOperation = keyof typeof OPERATIONS;

export const allowedOperationSchema = z.enum(Object.keys(OPERATIONS) as [AllowedOperation, ...AllowedOperation[]]);

interface RouteInputs {
  readonly path: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
}

const inputSchemas = new Map<AllowedOperation, z.ZodType>();

/**
 * Returns the input schema of an operation as defined by the contract: path parameters, query parameters and the body.
 */
export function getInputSchema(operation: AllowedOperation): z.ZodType {
  const cached = inputSchemas.get(operation);
  if (cached !== undefined) return cached;
  const { params, query, body }: RouteInputs = routes[operation];
  const schema = z.strictObject({ ...params?.shape, ...query?.shape, ...(body === undefined ? {} : { body }) });
  inputSchemas.set(operation, schema);
  return schema;
}
