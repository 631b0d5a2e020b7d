import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import { EVENTS, getEventChannel, METHODS, getMethodChannel, type EventName } from '../common/channels.js';

/*
 * Only named methods are exposed, never `ipcRenderer` itself, so code in the window can call nothing else. The main
 * process validates every input.
 */
const methods = Object.fromEntries(
  METHODS.map((name) => [
    name,
    (input: unknown): Promise<unknown> => ipcRenderer.invoke(getMethodChannel(name), input),
  ]),
);

function on(event: unknown, listener: (payload: unknown) => void): () => void {
  const name = EVENTS.find((each) => each === event) as EventName | undefined;
  if (name === undefined || typeof listener !== 'function') throw new TypeError('Unknown event or invalid listener.');
  // Omits Electron's event, whose sender would expose all of `ipcRenderer`.
  const forward = (_event: IpcRendererEvent, payload: unknown): void => listener(payload);
  ipcRenderer.on(getEventChannel(name), forward);
  return () => void ipcRenderer.removeListener(getEventChannel(name), forward);
}

contextBridge.exposeInMainWorld('countersign', Object.freeze({ ...methods, on }));
