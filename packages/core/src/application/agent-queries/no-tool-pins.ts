import { injectable } from 'inversify';
import { ApiError } from '@countersign/model';
import type { ToolPin, ToolPinPort } from '../../ports/agent-catalogue.js';

/** Tool pins of a server without external tools: always empty. */
@injectable()
export class NoToolPins implements ToolPinPort {
  list(): Promise<readonly ToolPin[]> {
    return Promise.resolve([]);
  }

  acceptTool(name: string): Promise<never> {
    return Promise.reject(new ApiError('tool_not_found', `No tool source offers the tool "${name}".`));
  }
}
