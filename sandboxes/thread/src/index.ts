export { createThreadDriver } from './driver.ts';
