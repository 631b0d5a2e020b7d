import { inject, injectable } from 'inversify';
import { type ApprovalComment, type CommentedLine, type JsonObject, readComment } from '@countersign/model';
import { EnginePort, type CommandResponse, type RequestContext } from '../ports/engine.js';
import type { PageRequest } from '../ports/records.js';
import { StoragePort } from '../ports/storage.js';
import { buildRequestContext, type Caller } from './caller.js';
import { requireCommentedText, unknownReferenceError } from './commented-text.js';
import { requireRoom } from './discussion-limits.js';
import { approvalNotFoundError } from './errors.js';
import { executeUnlessRepeated } from './repeated-request.js';
import { requireCapability } from './require-capability.js';
import type { PageView } from './run-queries.js';
import { toCommentView, type CommentView } from './views/comment-view.js';
import { toJsonResponse, withResponseType } from './views/to-json-response.js';

export interface CommentInput {
  readonly approvalId: string;
  readonly text: string;
  readonly replyTo?: string;
  readonly line?: CommentedLine;
}

/**
 * Comments on approvals, without a vote. The comments on all rounds of an approval are one discussion. A comment is a
 * run event, so it is part of the evidence and can be erased. It is never data of the run: no expression, agent or
 * connector can read it.
 */
@injectable()
export class ApprovalComments {
  constructor(
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(StoragePort) private readonly storage: StoragePort,
  ) {}

  /**
   * Lists the comments on an approval and on its earlier rounds, oldest first.
   *
   * @throws {ApiError} `approval_not_found`, `invalid_cursor`
   */
  async list(approvalId: string, page: PageRequest): Promise<PageView<CommentView>> {
    if ((await this.storage.findApproval(approvalId)) === undefined) throw approvalNotFoundError(approvalId);
    const { items, nextCursor } = await this.storage.listApprovalComments(approvalId, page);
    return { items: items.map(toCommentView), nextCursor };
  }

  /**
   * Adds a comment, also to an approval that is resolved. The response is the comment.
   *
   * @throws {ApiError} `approval_not_found`, `validation_failed`, `too_many_comments`, `too_many_own_comments`,
   * `discussion_too_long`
   */
  async add(input: CommentInput, caller: Caller): Promise<CommandResponse<CommentView>> {
    const { approvalId, text, replyTo, line } = input;
    const context = buildRequestContext(caller, 'commentOnApproval', {
      // A UUID may be upper case.
      approvalId: approvalId.toLowerCase(),
      text,
      ...(replyTo === undefined ? {} : { replyTo }),
      ...(line === undefined ? {} : { line: { ...line } }),
    });
    return executeUnlessRepeated(this.storage, context, () => this.addNew(input, context));
  }

  private async addNew(input: CommentInput, context: RequestContext): Promise<CommandResponse<CommentView>> {
    requireCapability(this.engine, 'approval_comments');
    const { text, replyTo, line } = input;
    const approval = await this.storage.findApproval(input.approvalId);
    if (approval === undefined) throw approvalNotFoundError(input.approvalId);
    const { approvalId, stepId, elementId, round, digest } = approval;
    if (line !== undefined) requireCommentedText(approval.subject, line);
    const firstComment = replyTo === undefined ? undefined : await this.findFirstComment(approvalId, replyTo);
    requireRoom(await this.storage.measureDiscussion(approvalId, context.actor), input);
    return withResponseType(
      this.engine.commentOnApproval({
        context,
        approvalId,
        stepId,
        elementId,
        round,
        digest,
        text,
        ...(firstComment === undefined ? {} : { replyTo: firstComment.commentId }),
        ...(line === undefined ? {} : { line }),
        respond: ({ events }): JsonObject => {
          const event = events.find(({ type }) => type === 'approval.commented');
          if (event === undefined) throw new Error('The engine recorded a comment but did not return its run event.');
          return toJsonResponse(toCommentView(readComment(event)));
        },
      }),
    );
  }

  /** Returns the comment that started a thread: replies to a reply belong to the same thread. */
  private async findFirstComment(approvalId: string, commentId: string): Promise<Pick<ApprovalComment, 'commentId'>> {
    const comment = await this.storage.findApprovalComment(approvalId, commentId);
    if (comment === undefined)
      throw unknownReferenceError({
        pointer: '/replyTo',
        code: 'comment_not_found',
        message: 'This approval and its earlier rounds have no such comment.',
      });
    return comment.replyTo === null ? comment : { commentId: comment.replyTo };
  }
}
