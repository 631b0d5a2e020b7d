export { StepDrawer } from './step-drawer/step-drawer.js';
export { TimeTravel } from './time-travel/time-travel.js';
