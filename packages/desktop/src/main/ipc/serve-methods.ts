import type { IpcMain, IpcMainInvokeEvent } from 'electron';
import { METHODS, getMethodChannel, type MethodName } from '../../common/channels.js';
import { METHOD_INPUTS, type MethodInput } from '../../common/methods.js';
import type { MethodResults } from '../../common/bridge.js';
import type { Log } from '../app/log.js';

export type Handlers = {
  readonly [M in MethodName]: (input: MethodInput<M>) => MethodResults[M] | Promise<MethodResults[M]>;
};

/**
 * Serves the methods of the window. Each caller must be the window's own page, and each input must match its schema.
 * The error of a refused call contains no reason and no input, because only foreign code is refused.
 *
 * @param isOwnPage returns whether the calling frame is the top frame of the window and shows the application's page
 */
export function serveMethods(
  ipc: Pick<IpcMain, 'handle'>,
  handlers: Handlers,
  isOwnPage: (event: IpcMainInvokeEvent) => boolean,
  log: Log,
): void {
  for (const name of METHODS)
    ipc.handle(getMethodChannel(name), guardHandler(name, handlers[name] as Handler, isOwnPage, log));
}

type Handler = (input: unknown) => unknown;

function guardHandler(name: MethodName, handler: Handler, isOwnPage: (event: IpcMainInvokeEvent) => boolean, log: Log) {
  return async (event: IpcMainInvokeEvent, ...args: unknown[]): Promise<unknown> => {
    if (!isOwnPage(event)) {
      log.warn('ipc.foreign_sender', { method: name });
      throw new Error('Refused.');
    }
    const input = METHOD_INPUTS[name].safeParse(args[0]);
    if (!input.success || args.length > 1) {
      log.warn('ipc.malformed', { method: name });
      throw new Error('Refused.');
    }
    try {
      return await handler(input.data);
    } catch (error) {
      log.failure('ipc.failed', error, { method: name });
      // The window does not receive the cause, which may contain data that it must not have.
      return Promise.reject(new Error('The action failed. See the application’s log for the reason.'));
    }
  };
}
