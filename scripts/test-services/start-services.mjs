import { installDebianPackages } from '../debian-packages.mjs';
import { startDockerEngine } from './docker-engine.mjs';
import { provideNodeImage } from './node-image.mjs';
import { PACKAGES } from './packages.mjs';

/**
 * Sets up what some parts of the tests need: Debian packages, a Docker engine, images.
 * @param {(keyof typeof PACKAGES)[]} services
 * @param {{ node: string, signal: AbortSignal }} options the pinned Node's program file; an end to it all
 * @returns {Promise<{ env: Record<string, string>, stop: () => Promise<void> }>} what tests find in their environment
 * @throws {SetupFailure} nothing is left running then
 */
export async function startServices(services, { node, signal }) {
  installDebianPackages(Object.assign({}, ...services.map((service) => PACKAGES[service])));
  if (!services.includes('dockerEngine')) return { env: {}, stop: async () => {} };
  signal.throwIfAborted();
  const engine = await startDockerEngine();
  try {
    signal.throwIfAborted();
    if (services.includes('nodeImage')) await provideNodeImage(engine.socket, node, signal);
  } catch (error) {
    await engine.stop();
    throw error;
  }
  // DOCKER_HOST, too: whatever asks for "the" engine while the tests run gets theirs, never the machine's.
  return { env: { YUANBOT_TEST_DOCKER_SOCKET: engine.socket, DOCKER_HOST: `unix://${engine.socket}` }, stop: engine.stop };
}
