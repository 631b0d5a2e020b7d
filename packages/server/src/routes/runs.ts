import type { ListRunsQuery } from '@countersign/contract';
import type { CommandResponse } from '@countersign/core';
import type { Handlers, HandlerResult } from '../app/route-context.js';
import { parseInstant } from './parse-instant.js';

export const runHandlers: Pick<
  Handlers,
  | 'startRun'
  | 'evaluateConditions'
  | 'listRuns'
  | 'countRuns'
  | 'getRun'
  | 'getRunState'
  | 'cancelRun'
  | 'recoverRun'
  | 'migrateRun'
  | 'erasePersonalData'
  | 'erasePerson'
> = {
  startRun: async ({ services, request, caller, basePath }) => {
    const { workflowId, version, inputs, businessKey } = request.body;
    const commandResponse = await services.app.startRun.execute(
      {
        workflowId,
        ...(version === undefined ? {} : { version }),
        ...(inputs === undefined ? {} : { inputs }),
        ...(businessKey === undefined ? {} : { businessKey }),
      },
      caller,
    );
    services.metrics.recordCommand('startRun');
    return toHandlerResult(commandResponse, {
      status: 201,
      headers: { Location: `${basePath}/api/runs/${commandResponse.response.runId}` },
    });
  },

  evaluateConditions: async ({ services, request, caller }) => {
    const { variables, ...rest } = request.body;
    const commandResponse = await services.app.evaluateConditions.execute(
      { variables, ...omitUndefined(rest) },
      caller,
    );
    services.metrics.recordCommand('evaluateConditions');
    return toHandlerResult(commandResponse);
  },

  listRuns: async ({ services, request }) => {
    const { limit, cursor, ...runs } = request.query;
    return { body: await services.app.runs.list({ ...toRunFilter(runs), limit, ...omitUndefined({ cursor }) }) };
  },

  countRuns: async ({ services, request }) => ({ body: await services.app.runs.count(toRunFilter(request.query)) }),

  getRun: async ({ services, request }) => ({ body: await services.app.runs.getDetail(request.params.runId) }),

  getRunState: async ({ services, request }) => ({
    body: await services.app.runStates.getStateAt(request.params.runId, request.query.at),
  }),

  cancelRun: async ({ services, request, caller }) => {
    const input = { runId: request.params.runId, reason: request.body.reason };
    if (request.query.dryRun) return { body: await services.app.cancelRun.plan(input, caller) };
    const commandResponse = await services.app.cancelRun.execute(input, caller);
    services.metrics.recordCommand('cancelRun');
    return toHandlerResult(commandResponse);
  },

  recoverRun: async ({ services, request, caller }) => {
    const input = { runId: request.params.runId, ...omitUndefined(request.body ?? {}) };
    if (request.query.dryRun) return { body: await services.app.recoverRun.plan(input, caller) };
    const commandResponse = await services.app.recoverRun.execute(input, caller);
    services.metrics.recordCommand('recoverRun');
    return toHandlerResult(commandResponse);
  },

  migrateRun: async ({ services, request, caller }) => {
    const { version, ...rest } = request.body;
    const input = { runId: request.params.runId, version, ...omitUndefined(rest) };
    if (request.query.dryRun) return { body: await services.app.migrateRun.plan(input, caller) };
    const commandResponse = await services.app.migrateRun.execute(input, caller);
    services.metrics.recordCommand('migrateRun');
    return toHandlerResult(commandResponse);
  },

  erasePersonalData: async ({ services, request, caller }) => {
    const { reason, ...rest } = request.body;
    const input = { runId: request.params.runId, reason, ...omitUndefined(rest) };
    const { erasePersonalData } = services.app;
    return {
      body: request.query.dryRun
        ? await erasePersonalData.plan(input, caller)
        : await erasePersonalData.execute(input, caller),
    };
  },

  erasePerson: async ({ services, request, caller }) => {
    const { person, reason, ...rest } = request.body;
    const input = { person, reason, ...omitUndefined(rest) };
    const { erasePerson } = services.app;
    return {
      body: request.query.dryRun ? await erasePerson.plan(input, caller) : await erasePerson.execute(input, caller),
    };
  },
};

/** Converts query parameters to a run filter. */
export function toRunFilter({
  stuck,
  needsAttention,
  startedAfter,
  startedBefore,
  ...rest
}: Omit<ListRunsQuery, 'limit' | 'cursor'>) {
  const filter = {
    ...omitUndefined(rest),
    ...(startedAfter === undefined ? {} : { startedAfter: parseInstant(startedAfter) }),
    ...(startedBefore === undefined ? {} : { startedBefore: parseInstant(startedBefore) }),
  };
  return { filter, ...omitUndefined({ stuck, needsAttention }) };
}

/** Converts the response to a command to a handler result. A header marks a replayed response. */
export function toHandlerResult<View extends object>(
  { response, replayed }: CommandResponse<View>,
  options: Omit<HandlerResult, 'body'> = {},
): Omit<HandlerResult, 'body'> & { readonly body: View } {
  return {
    ...options,
    body: response,
    headers: { ...options.headers, ...(replayed ? { 'Idempotent-Replayed': 'true' } : {}) },
  };
}

/** Returns an object without its `undefined` members. */
export function omitUndefined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
