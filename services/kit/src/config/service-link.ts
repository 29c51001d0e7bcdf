const SERVICE = /^[A-Z\d]+(?:_[A-Z\d]+)*_SERVICE_(?:HOST|PORT(?:_[A-Z\d]+)*)$/;
const PORT_URL = /^[A-Z\d]+(?:_[A-Z\d]+)*_PORT(?:_\d+_(?:TCP|UDP|SCTP))?$/;
const PORT_PART = /^[A-Z\d]+(?:_[A-Z\d]+)*_PORT_\d+_(?:TCP|UDP|SCTP)_(?:PROTO|PORT|ADDR)$/;

/**
 * Whether Kubernetes set this variable. It announces every Service of a namespace to every pod (`enableServiceLinks`),
 * so that a Service named `yuanbot-orchestrator` makes YUANBOT_ORCHESTRATOR_SERVICE_HOST, YUANBOT_ORCHESTRATOR_PORT
 * (`tcp://10.0.0.7:7420`) and others with the platform's own prefix.
 */
export function isServiceLink(variable: string, text: string): boolean {
  return SERVICE.test(variable) || PORT_PART.test(variable) || (PORT_URL.test(variable) && /^(?:tcp|udp|sctp):\/\//.test(text));
}
