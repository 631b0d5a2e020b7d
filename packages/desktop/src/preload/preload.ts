import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import { EVENTS, eventChannel, METHODS, methodChannel, type EventName } from '../common/channels.js';

/*
 * Named methods, never `ipcRenderer` itself: code in the window can call only these. The main process validates every
 * input and trusts nothing from here.
 */
const methods = Object.fromEntries(
  METHODS.map((name) => [name, (input: unknown): Promise<unknown> => ipcRenderer.invoke(methodChannel(name), input)]),
);

function on(event: unknown, listener: (payload: unknown) => void): () => void {
  const name = EVENTS.find((each) => each === event) as EventName | undefined;
  if (name === undefined || typeof listener !== 'function') throw new TypeError('Unknown event or invalid listener.');
  // Omits Electron's event, whose sender would expose all of `ipcRenderer`.
  const forward = (_event: IpcRendererEvent, payload: unknown): void => listener(payload);
  ipcRenderer.on(eventChannel(name), forward);
  return () => void ipcRenderer.removeListener(eventChannel(name), forward);
}

contextBridge.exposeInMainWorld('countersign', Object.freeze({ ...methods, on }));
