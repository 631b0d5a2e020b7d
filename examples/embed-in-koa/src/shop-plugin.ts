import {
  definePlugin,
  type Job,
  JobHandlerContribution,
  type JsonObject,
  TerminalFailure,
} from '@countersign/core/plugin';
import { injectable } from 'inversify';

/** Handles jobs of type `shop.price` in the process of the application. */
@injectable()
class PriceJob implements JobHandlerContribution {
  readonly jobType = 'shop.price';

  async execute({ variables }: Job): Promise<JsonObject> {
    const { quantity } = variables;
    if (typeof quantity !== 'number') throw new TerminalFailure('quantity_invalid', 'The quantity must be a number.');
    return { total: quantity * 12 };
  }
}

export const shopPlugin = definePlugin({
  id: 'shop',
  register({ contribute }) {
    contribute(JobHandlerContribution, PriceJob);
  },
});
