/** Settings with a mail server and a call provider that cannot be reached. */
export const unreachable = {
  FRONTDESK_MAIL_URL: "smtp://desk:hunter2@127.0.0.1:1",
  FRONTDESK_MAIL_FROM: "desk@example.com",
  FRONTDESK_CALL_PROVIDER: "twilio",
  FRONTDESK_PUBLIC_URL: "https://api.example.com",
  FRONTDESK_TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
  FRONTDESK_TWILIO_AUTH_TOKEN: "hunter3",
  FRONTDESK_TWILIO_VOICE_URL: "https://agent.example.com/voice",
  FRONTDESK_TWILIO_BASE_URL: "http://127.0.0.1:1"
}
