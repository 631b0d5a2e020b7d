import type { Json, QuestionRecord } from '@countersign/core/plugin';
import { BaseModel } from './base-model.js';

export class QuestionModel extends BaseModel {
  static override tableName = 'questions';
  static override idColumn = 'question_id';

  declare questionId: string;
  declare runId: string;
  declare workflowId: string;
  declare stepId: string;
  declare elementId: string;
  declare agentName: string;
  declare purpose: QuestionRecord['purpose'];
  declare callId: string | null;
  declare text: string;
  declare options: QuestionRecord['options'];
  declare answerSchema: QuestionRecord['answerSchema'];
  declare askedAt: number;
  declare dueAt: number | null;
  declare onDue: QuestionRecord['onDue'];
  declare status: QuestionRecord['status'];
  declare answer: Json;
  declare answeredBy: QuestionRecord['answeredBy'];
  declare closedAt: number | null;

  toRecord(): QuestionRecord {
    return {
      questionId: this.questionId,
      runId: this.runId,
      workflowId: this.workflowId,
      stepId: this.stepId,
      elementId: this.elementId,
      agentName: this.agentName,
      purpose: this.purpose,
      callId: this.callId,
      text: this.text,
      options: this.options,
      answerSchema: this.answerSchema,
      askedAt: this.askedAt,
      dueAt: this.dueAt,
      onDue: this.onDue,
      status: this.status,
      answer: this.answer,
      answeredBy: this.answeredBy,
      closedAt: this.closedAt,
    };
  }
}
