import type {
  Approval,
  ApprovalComment,
  ArtifactDownload,
  BulkDecisionsBody,
  BulkDecisionsResult,
  Client,
  DecisionBody,
  DownloadArtifactArgs,
  Question,
  RequestOptions,
} from '@countersign/contract';
import type { CountersignBridge } from '../../common/bridge.js';
import { OPERATIONS, type AllowedOperation } from '../../common/operations.js';
import { unwrapResult } from './unwrap-result.js';

type CommentArgs = Parameters<Client['commentOnApproval']>[0];
type AnswerQuestionArgs = Parameters<Client['answerQuestion']>[0];

/**
 * Returns a contract client for the inbox components that works through the main process, which has the token. It
 * supports the operations that an approver's inbox needs; any other is refused, in the window and in the main process.
 */
export function createBridgeClient(bridge: CountersignBridge): Client {
  const calls = Object.fromEntries(
    (Object.keys(OPERATIONS) as AllowedOperation[]).map((operation) => [
      operation,
      async (input: Record<string, unknown> = {}) => unwrapResult(await bridge.call({ operation, input })),
    ]),
  );
  const methods: Record<string, unknown> = {
    ...calls,
    decideApproval: (args: { approvalId: string; body: DecisionBody }, options?: RequestOptions) =>
      vote(bridge, args, options),
    decideApprovals: (args: { body: BulkDecisionsBody }, options?: RequestOptions) =>
      voteInBulk(bridge, args.body, options),
    answerQuestion: (args: AnswerQuestionArgs, options?: RequestOptions) => answerQuestion(bridge, args, options),
    commentOnApproval: (args: CommentArgs, options?: RequestOptions) => comment(bridge, args, options),
    downloadArtifact: (args: DownloadArtifactArgs) => download(bridge, args),
  };
  const rejectUnsupported = (name: string) => () =>
    Promise.reject(new Error(`The desktop client does not support ${name}.`));
  return new Proxy(methods, {
    get: (target, name) => (typeof name === 'string' ? (target[name] ?? rejectUnsupported(name)) : undefined),
  }) as unknown as Client;
}

/** @throws {TypeError} if the digest or round of the displayed subject, or the idempotency key, is missing */
async function vote(
  bridge: CountersignBridge,
  { approvalId, body }: { approvalId: string; body: DecisionBody },
  options?: RequestOptions,
): Promise<Approval> {
  const { decision, comment, editedArguments, expectedDigest, round, shown } = body;
  const { idempotencyKey } = options ?? {};
  if (expectedDigest === undefined || round === undefined || idempotencyKey === undefined)
    throw new TypeError('A vote needs the displayed digest and round, and an idempotency key.');
  return unwrapResult(
    await bridge.vote({
      approvalId,
      round,
      subjectDigest: expectedDigest,
      decision,
      idempotencyKey,
      ...(comment === undefined ? {} : { comment }),
      ...(editedArguments === undefined ? {} : { editedArguments }),
      ...(shown === undefined ? {} : { shown }),
    }),
  );
}

async function voteInBulk(
  bridge: CountersignBridge,
  { decisions }: BulkDecisionsBody,
  options?: RequestOptions,
): Promise<BulkDecisionsResult> {
  const approvals = decisions.map(({ approvalId, expectedDigest, round, decision, shown }) => {
    if (decision !== 'approve' || round === undefined)
      throw new TypeError('Each vote must be "approve" and contain the displayed round.');
    return { approvalId, round, subjectDigest: expectedDigest, ...(shown === undefined ? {} : { shown }) };
  });
  const { idempotencyKey } = options ?? {};
  if (idempotencyKey === undefined) throw new TypeError('Votes need an idempotency key.');
  return unwrapResult(await bridge.voteTogether({ approvals, idempotencyKey }));
}

/** Answers a question. The main process adds the id of its run. */
async function answerQuestion(
  bridge: CountersignBridge,
  { questionId, body }: AnswerQuestionArgs,
  options?: RequestOptions,
): Promise<Question> {
  const { idempotencyKey } = options ?? {};
  if (idempotencyKey === undefined) throw new TypeError('An answer needs an idempotency key.');
  return unwrapResult(await bridge.answerQuestion({ questionId, answer: body.answer, idempotencyKey }));
}

async function comment(
  bridge: CountersignBridge,
  { approvalId, body }: CommentArgs,
  options?: RequestOptions,
): Promise<ApprovalComment> {
  const { idempotencyKey } = options ?? {};
  if (idempotencyKey === undefined) throw new TypeError('A comment needs an idempotency key.');
  return unwrapResult(await bridge.comment({ approvalId, body, idempotencyKey }));
}

async function download(
  bridge: CountersignBridge,
  { runId, artifactName, version }: DownloadArtifactArgs,
): Promise<ArtifactDownload> {
  const content = unwrapResult(
    await bridge.readArtifact({ runId, artifactName, ...(version === undefined ? {} : { version }) }),
  );
  const bytes = content.kind === 'bytes' ? content.bytes : new Uint8Array();
  return {
    contentType: content.kind === 'bytes' ? content.contentType : 'application/octet-stream',
    size: content.kind === 'bytes' ? bytes.byteLength : Number.POSITIVE_INFINITY,
    etag: undefined,
    partial: false,
    response: new Response(null),
    bytes: () => Promise.resolve(bytes),
  };
}
