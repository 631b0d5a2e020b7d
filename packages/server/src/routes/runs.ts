import type { ListRunsQuery } from '@countersign/contract';
import type { CommandResponse } from '@countersign/core';
import type { Handlers, HandlerResult } from '../app/route-context.js';
import { instantOf } from './instant-of.js';

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
    const answer = await services.app.startRun.execute(
      {
        workflowId,
        ...(version === undefined ? {} : { version }),
        ...(inputs === undefined ? {} : { inputs }),
        ...(businessKey === undefined ? {} : { businessKey }),
      },
      caller,
    );
    services.metrics.command('startRun');
    return replyOf(answer, {
      status: 201,
      headers: { Location: `${basePath}/api/runs/${answer.response.runId}` },
    });
  },

  evaluateConditions: async ({ services, request, caller }) => {
    const { variables, ...rest } = request.body;
    const answer = await services.app.evaluateConditions.execute({ variables, ...defined(rest) }, caller);
    services.metrics.command('evaluateConditions');
    return replyOf(answer);
  },

  listRuns: async ({ services, request }) => {
    const { limit, cursor, ...runs } = request.query;
    return { body: await services.app.runs.list({ ...runFilterOf(runs), limit, ...defined({ cursor }) }) };
  },

  countRuns: async ({ services, request }) => ({ body: await services.app.runs.count(runFilterOf(request.query)) }),

  getRun: async ({ services, request }) => ({ body: await services.app.runs.detail(request.params.runId) }),

  getRunState: async ({ services, request }) => ({
    body: await services.app.runStates.at(request.params.runId, request.query.at),
  }),

  cancelRun: async ({ services, request, caller }) => {
    const input = { runId: request.params.runId, reason: request.body.reason };
    if (request.query.dryRun) return { body: await services.app.cancelRun.plan(input, caller) };
    const answer = await services.app.cancelRun.execute(input, caller);
    services.metrics.command('cancelRun');
    return replyOf(answer);
  },

  recoverRun: async ({ services, request, caller }) => {
    const input = { runId: request.params.runId, ...defined(request.body ?? {}) };
    if (request.query.dryRun) return { body: await services.app.recoverRun.plan(input, caller) };
    const answer = await services.app.recoverRun.execute(input, caller);
    services.metrics.command('recoverRun');
    return replyOf(answer);
  },

  migrateRun: async ({ services, request, caller }) => {
    const { version, ...rest } = request.body;
    const input = { runId: request.params.runId, version, ...defined(rest) };
    if (request.query.dryRun) return { body: await services.app.migrateRun.plan(input, caller) };
    const answer = await services.app.migrateRun.execute(input, caller);
    services.metrics.command('migrateRun');
    return replyOf(answer);
  },

  erasePersonalData: async ({ services, request, caller }) => {
    const { reason, ...rest } = request.body;
    const input = { runId: request.params.runId, reason, ...defined(rest) };
    const { erasePersonalData } = services.app;
    return {
      body: request.query.dryRun
        ? await erasePersonalData.plan(input, caller)
        : await erasePersonalData.execute(input, caller),
    };
  },

  erasePerson: async ({ services, request, caller }) => {
    const { person, reason, ...rest } = request.body;
    const input = { person, reason, ...defined(rest) };
    const { erasePerson } = services.app;
    return {
      body: request.query.dryRun ? await erasePerson.plan(input, caller) : await erasePerson.execute(input, caller),
    };
  },
};

/** Converts query parameters to a run filter. */
export function runFilterOf({ stuck, startedAfter, startedBefore, ...rest }: Omit<ListRunsQuery, 'limit' | 'cursor'>) {
  const filter = {
    ...defined(rest),
    ...(startedAfter === undefined ? {} : { startedAfter: instantOf(startedAfter) }),
    ...(startedBefore === undefined ? {} : { startedBefore: instantOf(startedBefore) }),
  };
  return { filter, ...defined({ stuck }) };
}

/** Returns the response of a command, marked if it repeats an earlier one. */
export function replyOf<View extends object>(
  { response, replayed }: CommandResponse<View>,
  reply: Omit<HandlerResult, 'body'> = {},
): Omit<HandlerResult, 'body'> & { readonly body: View } {
  return {
    ...reply,
    body: response,
    headers: { ...reply.headers, ...(replayed ? { 'Idempotent-Replayed': 'true' } : {}) },
  };
}

/** Returns an object without its `undefined` members. */
export function defined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
