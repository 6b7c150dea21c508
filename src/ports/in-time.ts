/** The result, or `late` after the timeout. */
export async function inTime<Answer, Late>(answer: Promise<Answer>, ms: number, late: Late): Promise<Answer | Late> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<Late>((resolve) => {
    timer = setTimeout(() => resolve(late), ms)
  })
  try {
    return await Promise.race([answer, tooLong])
  } finally {
    clearTimeout(timer)
  }
}
