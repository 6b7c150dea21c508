import { chatCall, type ChatOptions } from './chat-call.ts'
import { MessageRefused, type MessageWay, WayAway } from './message-way.ts'

interface TelegramOptions extends ChatOptions {
  readonly url: string
  readonly token: string
  readonly chatId: string
}

/** Writes to one chat, as a bot: https://core.telegram.org/bots/api */
export function telegramWay({ url, token, chatId, ...options }: TelegramOptions): MessageWay {
  const call = async (method: string, given: object) => {
    const answer = await chatCall('Telegram', options, new URL(`${url}/bot${token}/${method}`), given)
    if (answer.status === 401 || answer.status === 404)
      throw new WayAway('Telegram does not know the bot: set TELEGRAM_BOT_TOKEN to what @BotFather shows.')
    if (answer.status === 403)
      throw new WayAway('The bot may not write to the chat: add it to the group again, or write to it first.')
    if (answer.reply.parameters.migrate_to_chat_id !== undefined)
      throw new WayAway('The group has become a supergroup with another number: set TELEGRAM_CHAT_ID to that.')
    return answer
  }
  const check = async (): Promise<void> => {
    const { isSuccess } = await call('getChat', { chat_id: chatId })
    if (!isSuccess)
      throw new WayAway(
        'Telegram does not know the chat: write to the bot, or add it to the group, and check TELEGRAM_CHAT_ID.',
      )
  }
  return {
    name: 'telegram',
    textMax: 4_096,
    // One a second to a chat; 20 a minute to a group or a channel.
    pauseMs: /^\d/.test(chatId) ? 1_000 : 3_000,
    async send({ text }) {
      const { status, isSuccess } = await call('sendMessage', {
        chat_id: chatId,
        text,
        link_preview_options: { is_disabled: true },
      })
      if (isSuccess) return
      // The status does not tell whether the chat or the text is wrong.
      await check()
      throw new MessageRefused(`Telegram refuses this message (${status}).`)
    },
    check,
    close: async () => undefined,
  }
}
