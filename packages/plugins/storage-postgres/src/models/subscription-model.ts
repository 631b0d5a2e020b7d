import type { SubscriptionRecord } from '@countersign/core/plugin';
import { BaseModel } from './base-model.js';

export class SubscriptionModel extends BaseModel {
  static override tableName = 'message_subscriptions';
  static override idColumn = 'subscription_id';

  declare subscriptionId: string;
  declare runId: string;
  declare workflowId: string;
  declare stepId: string;
  declare elementId: string;
  declare messageName: string;
  declare correlationKey: string;
  declare since: number;

  toRecord(): SubscriptionRecord & { runId: string; workflowId: string } {
    return {
      subscriptionId: this.subscriptionId,
      runId: this.runId,
      workflowId: this.workflowId,
      stepId: this.stepId,
      elementId: this.elementId,
      messageName: this.messageName,
      correlationKey: this.correlationKey,
      since: this.since,
    };
  }
}
